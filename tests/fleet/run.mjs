// `npm run fleet`: bundles tests/fleet/fleet.ts, runs it and passes the arguments on. With `--image`, the script
// replays the steps of deploy/Dockerfile instead (tests/fleet/image.ts).
import { runBundled } from '../run/bundled-program.mjs'

const args = process.argv.slice(2)
const isImage = args.includes('--image')

await runBundled(
  {
    fleet: 'tests/fleet/fleet.ts',
    image: 'tests/fleet/image.ts',
    attack: 'tests/hostile/chaos/attack.ts',
  },
  {
    main: isImage ? 'image' : 'fleet',
    args: args.filter(one => one !== '--image'),
    hours: 0.5,
    needsBuild: !isImage,
  },
)
