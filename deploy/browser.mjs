// A browser for Sheaf servers on other machines: engines/webpage/browser/remote-browser.ts. Start it with `node
// deploy/browser.mjs [--no-sandbox]`.
import { runBundled } from '../lib/build/run-bundled.mjs'

await runBundled('browser')
