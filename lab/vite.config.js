// vite.config.js -- the page as plain files in build/lab, with relative addresses: the token stands in front of them.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: { outDir: "../build/lab", emptyOutDir: true, target: "es2021", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
