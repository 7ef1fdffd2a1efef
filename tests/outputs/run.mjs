// `npm run outputs -- record FOLDER FILE [TOOL …]` runs every tool, or the named ones, on PDFs of a folder and writes hashes
// of the results. `npm run outputs -- compare FILE` runs the tools again and names every output that differs. Exit code 0
// if none does. Use it for changes that must keep all outputs byte for byte.
import { runBundled } from '../run/bundled-program.mjs'

await runBundled({ outputs: 'tests/outputs/outputs.ts' })
