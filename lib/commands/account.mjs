// `npm run account`: creates an account or adds credits, with or without a running server. Only its JSON goes to
// stdout.
import { runBundled } from '../build/run-bundled.mjs'

await runBundled('account')
