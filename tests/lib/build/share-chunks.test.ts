import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runFolder } from '../../support/shared-services'

/** The module has no types, because it runs before TypeScript is installed. */
const MODULE: string = '../../../lib/build/share-chunks.mjs'

test('chunks with the same code are loaded once, and others keep theirs', async () => {
  const { shareChunks } = (await import(MODULE)) as { shareChunks(folder: string): void }
  const folder = join(await runFolder(), 'chunks')
  const write = (name: string, code: string) =>
    writeFileSync(join(folder, name), `module.exports=[1,()=>${code}];\n\n//# sourceMappingURL=${name}.map`)
  mkdirSync(join(folder, 'ssr.js'), { recursive: true })
  write('[a] b.js', '2')
  write('c.js', '2')
  write('d.js', '3')
  writeFileSync(join(folder, 'd.js.map'), readFileSync(join(folder, 'd.js')))
  shareChunks(folder)
  const load = (name: string): unknown => createRequire(join(folder, 'x.js'))(`./${name}`)
  expect(load('c.js')).toBe(load('[a] b.js'))
  expect(load('d.js')).not.toBe(load('c.js'))
  expect(readFileSync(join(folder, 'd.js.map'), 'utf8')).toContain('sourceMappingURL=d.js.map')
})
