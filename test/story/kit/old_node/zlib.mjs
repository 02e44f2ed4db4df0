export * from "node:zlib";
export { default } from "node:zlib";

const table = new Uint32Array(256).map((_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n >>> 0;
});

export function crc32(data, value = 0) {
  let sum = ~value;
  for (const byte of Buffer.from(data)) sum = (sum >>> 8) ^ table[(sum ^ byte) & 255];
  return ~sum >>> 0;
}
