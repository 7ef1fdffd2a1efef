// Reads every import of the tree and reports imports that tests/boundaries.cjs forbids, and every import cycle. Another
// tree can be named: `node tests/check-boundaries.mjs <folder>`.
import { ROOT } from '../lib/build/project.mjs'
import { checkTree } from './find-import-problems.mjs'

const { fileCount, importCount, problems } = checkTree(process.argv[2] ?? ROOT)
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${fileCount} files, ${importCount} imports, ${problems.length} against the rules\n`)
process.exitCode = problems.length || fileCount === 0 ? 1 : 0
