import { describe, expect, it } from 'vitest'
import { isEngineError } from '../../engines/errors'
import { SOUND } from '../fixtures/make-fixtures'
import { readZip } from '../support/read-zip'
import { countPages } from '../support/reader'
import { runOn } from '../support/run-on'
import { StrictPdf } from '../support/strict-pdf'
import { mutate } from './mutate'

// The number of mutants of all fixtures together. Each goes through every tool. MUTANTS=600 tries more of them.
const MUTANTS = Number(process.env['MUTANTS'] ?? 200)
const MAX_MS = 5000

const PAGES = /Catalog|page|\/Count|\/Parent/

const good = SOUND.book?.() ?? Buffer.alloc(0)

const TOOLS: Record<string, (file: Buffer) => ReturnType<typeof runOn>> = {
  'rotate-pdf': file => runOn('rotate-pdf', file, { angle: 90 }),
  'extract-pages': file => runOn('extract-pages', file, { pages: 'last,first' }),
  'merge-pdf': file => runOn('merge-pdf', [good, file]),
  'merge-pdf of some pages': file =>
    runOn('merge-pdf', [file, good, file], {
      pages: ['first', [1], 'last,first'],
      bookmarks: 'per-file',
      blankBetween: 'always',
    }),
  'split-pdf': async file => {
    const result = await runOn('split-pdf', file, { mode: 'every', every: 2, pages: 'all,all,all,all,all' })
    return { ...result, bytes: readZip(result.bytes).at(-1)?.bytes ?? Buffer.alloc(0) }
  },
}

describe('a damaged or hostile file', () => {
  const fixtures = Object.entries(SOUND)
  for (const [tool, run] of Object.entries(TOOLS)) {
    for (const [index, [name, make]] of fixtures.entries()) {
      it(`made of "${name}" is refused by ${tool} or produces a valid file, in time`, async () => {
        const original = make()
        const failures: string[] = []
        for (let seed = index; seed < MUTANTS; seed += fixtures.length) {
          const { file, changes } = mutate(original, seed)
          const started = performance.now()
          const mistake = await findProblem(run, file)
          const elapsed = performance.now() - started
          if (mistake) failures.push(`seed ${seed} (${changes.join(', ')}): ${mistake}`)
          if (elapsed > MAX_MS) failures.push(`seed ${seed} (${changes.join(', ')}): ${Math.round(elapsed)} ms`)
        }
        expect(failures).toEqual([])
      })
    }
  }
})

/** The problem with the result. Undefined for an EngineError and for an output that both judges accept. */
async function findProblem(run: (file: Buffer) => ReturnType<typeof runOn>, file: Buffer): Promise<string | undefined> {
  let bytes: Buffer
  try {
    ;({ bytes } = await run(file))
  } catch (error) {
    return isEngineError(error)
      ? undefined
      : `threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
  }
  const strict = new StrictPdf(bytes)
  const pages = await countPages(bytes).catch(() => 0)
  if (pages === 0) return 'PDFium finds no pages'
  // Sheaf copies invalid PDF syntax inside an object unchanged. The strict reader's view of the pages is meaningless
  // then.
  const problems = strict.malformed.length ? strict.problems.filter(problem => !PAGES.test(problem)) : strict.problems
  if (problems.length) return problems.slice(0, 3).join('; ')
  return strict.malformed.length || pages === strict.pages.length
    ? undefined
    : `PDFium sees ${pages} pages instead of ${strict.pages.length}`
}
