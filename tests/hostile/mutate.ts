import { createRandom } from '../support/random.mjs'

type Mutation = (file: Buffer, random: () => number) => Buffer

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item

const TOKENS = [
  '<<',
  '>>',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  'endobj',
  'endstream',
  'stream',
  'obj',
  'R',
  'null',
  'xref',
  'trailer',
  'startxref',
  '%',
  '/',
  '1 0 R',
  '0 0 R',
  '-1',
  '999999999',
  '\0',
  '%%EOF',
  '/Type/Page',
  '/Kids[1 0 R]',
  '/Parent 1 0 R',
  '/Length 0',
]

const NUMBERS = ['0', '1', '-1', '2', '65536', '2147483648', '99999999999999999999', '1e9', '0.5', '.', '--1']

/** Single changes, like damage in transit, bugs of programs and attacks. */
const MUTATIONS: Mutation[] = [
  function flipBits(file, random) {
    const copy = Buffer.from(file)
    for (let count = 1 + Math.floor(random() * 8); count > 0; count--) {
      const at = Math.floor(random() * copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    }
    return copy
  },
  function cutOff(file, random) {
    return file.subarray(0, Math.floor(random() * file.length))
  },
  function removeSpan(file, random) {
    const at = Math.floor(random() * file.length)
    return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + Math.floor(random() ** 3 * 2000))])
  },
  function repeatSpan(file, random) {
    const at = Math.floor(random() * file.length)
    const end = at + 1 + Math.floor(random() ** 3 * 2000)
    return Buffer.concat([file.subarray(0, end), file.subarray(at)])
  },
  function insertToken(file, random) {
    const at = Math.floor(random() * file.length)
    return Buffer.concat([file.subarray(0, at), Buffer.from(` ${pick(TOKENS, random)} `, 'latin1'), file.subarray(at)])
  },
  function replaceNumber(file, random) {
    return replaceOne(file, /\d+/g, () => pick(NUMBERS, random), random)
  },
  function redirectReference(file, random) {
    return replaceOne(file, /\d+ 0 R/g, () => `${1 + Math.floor(random() * 60)} 0 R`, random)
  },
  function renameKey(file, random) {
    return replaceOne(
      file,
      /\/(Type|Kids|Count|Parent|Length|Filter|Root|Pages|Size|Prev|W|Index|First|N|Contents|Resources|Annots|Names|Nums|K|P|Fields|Next|Dest)\b/g,
      () => pick(['/X', '/Kids', '/Count', '/Length', '/Type', '/'], random),
      random,
    )
  },
  function dropKeyword(file, random) {
    return replaceOne(file, /endobj|endstream|stream|obj|xref|trailer|startxref|>>|<</g, () => '', random)
  },
  function swapSpans(file, random) {
    const [a, b] = [Math.floor(random() * file.length), Math.floor(random() * file.length)].sort(
      (one, two) => one - two,
    ) as [number, number]
    const length = Math.min(1 + Math.floor(random() * 300), b - a)
    return Buffer.concat([
      file.subarray(0, a),
      file.subarray(b, b + length),
      file.subarray(a + length, b),
      file.subarray(a, a + length),
      file.subarray(b + length),
    ])
  },
]

function replaceOne(file: Buffer, pattern: RegExp, replacement: () => string, random: () => number): Buffer {
  const matches = [...file.toString('latin1').matchAll(pattern)]
  if (matches.length === 0) return file
  const match = pick(matches, random)
  return Buffer.concat([
    file.subarray(0, match.index),
    Buffer.from(replacement(), 'latin1'),
    file.subarray(match.index + match[0].length),
  ])
}

/** The file with one to four changes that only depend on the seed. */
export function mutate(file: Buffer, seed: number): { file: Buffer; changes: string[] } {
  const random = createRandom(seed)
  let mutant = file
  const changes: string[] = []
  for (let count = 1 + Math.floor(random() ** 2 * 4); count > 0 && mutant.length > 0; count--) {
    const mutation = pick(MUTATIONS, random)
    changes.push(mutation.name)
    mutant = mutation(mutant, random)
  }
  return { file: mutant, changes }
}
