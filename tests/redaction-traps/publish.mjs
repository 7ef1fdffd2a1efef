// `node tests/redaction-traps/publish.mjs` tries all redaction traps and writes their counts into the documentation.
import { runProgram } from '../run/programs.mjs'

const LIMIT_MS = 30 * 60_000

const config = '--config=tests/redaction-traps/publish.config.ts'
process.exitCode = await runProgram(['node_modules/vitest/vitest.mjs', 'run', config], { limitMs: LIMIT_MS })
