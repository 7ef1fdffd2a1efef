import { expect, it } from 'vitest'
import { listMutants } from './list-mutants.mjs'

const changesOf = (source: string) => listMutants('some.ts', source).map(({ before, after }) => `${before} → ${after}`)

it.each([
  ['const a = 1 < 2', ['< → <=', '< → >=']],
  ['const a = b === c && !d', ['=== → !==', '&& → ||', '! → ']],
  ['a += b * (c - 1)', ['+= → -=', '* → /', '- → +']],
  ['const a = { isOpen: true }', ['true → false']],
  ['await close()\nvoid later()\nconst kept = open()', ['await close() → ;', 'void later() → ;']],
  ['for (const a of b) {\n  if (a) continue\n}', ['if (a) continue → ;']],
  ['for (const a of b) {\n  if (a) continue\n  else c = 1\n}', []],
  ["const a = 'x' + b as true | 1", []],
  ['interface A { b: true }\ntype B = A extends true ? 1 : 2', []],
])('%j has the changes %j', (source, changes) => {
  expect(changesOf(source)).toEqual(changes)
})

it('a change has its line and its offsets in the text', () => {
  expect(listMutants('some.ts', "const é = '日本'\nconst a = b > c")[0]).toEqual({
    file: 'some.ts',
    line: 2,
    start: 27,
    end: 28,
    before: '>',
    after: '>=',
  })
})
