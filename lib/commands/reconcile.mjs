// `npm run reconcile`: compares the ledger with Stripe, with or without a running server. Only its JSON goes to stdout.
import { runBundled } from '../build/run-bundled.mjs'

await runBundled('reconcile')
