// The folder whose files are tested: those in the repository, or others in PETTEIA_JS.

import { pathToFileURL } from "node:url";

export const STATIC = process.env.PETTEIA_JS
  ? pathToFileURL(process.env.PETTEIA_JS)
  : new URL("../../python/petteia/web/static/", import.meta.url);
