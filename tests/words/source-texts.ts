import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** Lists the sentences in strings of source files, which a user or operator may read. Skips programs in samples. */
export function listSourceTexts(folder: string): { place: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:tsx?|mjs)$/.test(name) && !name.startsWith('docs/samples/'))
    .flatMap(name => {
      const path = join(folder, name)
      const source = readFileSync(path, 'utf8')
      const texts: { place: string; text: string }[] = []
      collect(parseSync(path, source).program, ({ start }, text) => {
        if (isProse(text)) texts.push({ place: `${path}:${source.slice(0, start).split('\n').length}`, text })
      })
      return texts
    })
}

function collect(node: unknown, add: (node: Node, text: string) => void): void {
  if (Array.isArray(node)) return node.forEach(one => collect(one, add))
  if (!isNode(node) || node.type === 'ImportDeclaration') return
  const text = readText(node)
  if (text !== undefined)
    add(
      node,
      text
        .replaceAll(/[^\S\n]+/g, ' ')
        .replaceAll(/ ?\n ?/g, '\n')
        .trim(),
    )
  else for (const member of Object.values(node)) collect(member, add)
}

/** The text of a string, a template or a sum of them, with `7` for each value. Undefined if the node is something else. */
function readText(node: Node): string | undefined {
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('7')
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return undefined
  const [left, right] = [readText(node['left'] as Node), readText(node['right'] as Node)]
  return left === undefined && right === undefined ? undefined : `${left ?? '7'}${right ?? '7'}`
}

/** Code in strings: PDF syntax, HTML, CSS, sample programs and conditions of SQL. */
const CODE = /<<|>>|<\/|=>|[{;] ?[a-z-]+:|\b(?:endobj|using var|is not null)\b|\bforeach \(/
const SQL = /^(?:with|select|insert|update|delete|alter|create|drop|lock|set|from|where|and|or|order|values|returning) /

/** Returns whether a text has a sentence for people. Lists of names have no punctuation. */
function isProse(text: string): boolean {
  if (CODE.test(text) || SQL.test(text)) return false
  return /[a-z]{2,} [a-z]+ [a-z]{2,}/i.test(text) && (text.split(' ').length <= 20 || /[a-z`'"][,.:;?!] /i.test(text))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
