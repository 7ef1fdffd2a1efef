// `npm run chaos`: bundles tests/hostile/chaos/chaos.ts, runs it and passes the arguments on.
import { runBundled } from '../../run/bundled-program.mjs'

const entries = { chaos: 'tests/hostile/chaos/chaos.ts', attack: 'tests/hostile/chaos/attack.ts' }

await runBundled(entries, { hours: 6, needsBuild: true })
