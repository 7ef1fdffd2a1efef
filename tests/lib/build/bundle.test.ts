import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The module has no types, because it runs before TypeScript is installed. */
const MODULE: string = '../../../lib/build/bundle.mjs'

test('bundles only the modules of large packages that the engines use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bundle-'))
  try {
    const { PROCESSES, bundle } = (await import(MODULE)) as {
      PROCESSES: { engine: string }
      bundle(entries: Record<string, string>, folder: string): Promise<void>
    }
    await bundle({ engine: PROCESSES.engine }, folder)
    const code = await readFile(join(folder, 'engine.mjs'), 'utf8')
    // esbuild writes the path of each module above its code. `import { z } from 'zod'` would bring all languages in.
    const modules = [...code.matchAll(/^\/\/ node_modules\/(.+)$/gm)].map(match => match[1] ?? '')
    expect(modules.some(path => path.startsWith('pdf-lib/es/core/'))).toBe(true)
    expect(modules.filter(path => /^zod\/v4\/locales\/(?!en\.js)/.test(path))).toEqual([])
    expect(modules.filter(path => path.startsWith('pdf-lib/es/api/PDF'))).toEqual([])
    expect(code).not.toContain('from "pdf-lib"')
    expect(code).not.toContain('sourceMappingURL=data:')
  } finally {
    await rm(folder, { recursive: true })
  }
})
