// `npm run account`: makes an account or adds credits, with a running server or without. Only its JSON goes to stdout.
import { runBundled } from '../build/run-bundled.mjs'

await runBundled('account')
