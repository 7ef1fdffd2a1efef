// `npm run reconcile`: compares the ledger with Stripe, with a running server or without. Only its JSON goes to stdout.
import { runBundled } from '../build/run-bundled.mjs'

await runBundled('reconcile')
