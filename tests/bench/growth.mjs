// `npm run growth`: bundles tests/bench/growth.ts, runs it and passes the arguments on.
import { runBundled } from '../run/bundled-program.mjs'

await runBundled({ growth: 'tests/bench/growth.ts' })
