// Debian 12 has Node 18, and aimock asks for 20.15: all it misses is crc32 of
// node:zlib. node --import register.mjs …
import zlib from "node:zlib";
import { register } from "node:module";

if (!zlib.crc32) register("./hooks.mjs", import.meta.url);
