import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The line in which chunks with the same code differ. */
const SOURCE_MAP_LINE = /\n\/\/# sourceMappingURL=.*\s*$/

/**
 * Makes chunks with the same code load the first of them. Turbopack writes such chunks for groups of routes. The service
 * would compile each of them when it starts, and keep it in memory.
 */
export function shareChunks(folder) {
  if (!existsSync(folder)) return // A build without routes has no chunks.
  const firstByCode = new Map()
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile())) {
    if (!name.endsWith('.js')) continue
    const code = readFileSync(join(folder, name), 'utf8').replace(SOURCE_MAP_LINE, '')
    const first = firstByCode.get(code)
    if (first === undefined) firstByCode.set(code, name)
    else writeFileSync(join(folder, name), `module.exports = require(${JSON.stringify(`./${first}`)})\n`)
  }
}
