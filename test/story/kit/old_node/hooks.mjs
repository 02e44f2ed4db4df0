const ours = new URL("./zlib.mjs", import.meta.url).href;

export function resolve(specifier, context, next) {
  if (specifier === "node:zlib" && context.parentURL !== ours)
    return { url: ours, shortCircuit: true };
  return next(specifier, context);
}
