/** What a document of YAML holds. */
export type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml }

interface Line {
  indent: number
  text: string
  number: number
}

const KEY = /^("[^"]*"|[A-Za-z0-9_.$/-]+):(?: +(.*))?$/

/**
 * The documents of a YAML text (YAML 1.2) that keeps to what the files of deploy/ need: mappings, sequences, plain and
 * quoted scalars, flow sequences, comments. Throws an Error that names the line for anything else, and for a key twice.
 */
export function readYaml(text: string): Yaml[] {
  const documents: Line[][] = [[]]
  for (const [index, raw] of text.split('\n').entries()) {
    if (raw.includes('\t')) throw new Error(`line ${index + 1} has a tab`)
    if (raw === '---') documents.push([])
    const content = raw === '---' ? '' : cutComment(raw).trimEnd()
    if (content.trim() !== '') documents.at(-1)?.push({ indent: content.length - content.trimStart().length, text: content.trim(), number: index + 1 })
  }
  return documents.filter(lines => lines.length > 0).map(lines => {
    const value = readBlock(lines, lines[0]?.indent ?? 0)
    if (lines[0]) throw new Error(`line ${lines[0].number} stands at no level that was begun: ${lines[0].text}`)
    return value
  })
}

/** Comments begin after a space, outside of quotes. */
function cutComment(raw: string): string {
  const [kept = ''] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#|[^#"'])*/.exec(raw) ?? []
  return kept
}

/** Takes the lines of a value from the front. */
function readBlock(lines: Line[], indent: number): Yaml {
  const [first] = lines
  if (!first) return null
  if (isItem(first)) return readSequence(lines, indent)
  if (KEY.test(first.text)) return readMapping(lines, indent)
  lines.shift()
  return readScalar(first.text, first.number)
}

const isItem = ({ text }: Line) => text === '-' || text.startsWith('- ')

function readSequence(lines: Line[], indent: number): Yaml[] {
  const items: Yaml[] = []
  for (let line = lines[0]; line && line.indent === indent && isItem(line); line = lines[0]) {
    const rest = line.text.slice(1).trimStart()
    const own = { indent: indent + line.text.length - rest.length, text: rest, number: line.number }
    lines.splice(0, 1, own)
    items.push(readBlock(lines, own.indent))
  }
  return items
}

function readMapping(lines: Line[], indent: number): Yaml {
  const entries = new Map<string, Yaml>()
  for (let line = lines[0]; line && line.indent === indent && !isItem(line); line = lines[0]) {
    const [, key = '', value] = KEY.exec(line.text) ?? []
    if (key === '') throw new Error(`line ${line.number} is no key with a value: ${line.text}`)
    const name = key.replaceAll('"', '')
    if (entries.has(name)) throw new Error(`line ${line.number} has ${name} a second time`)
    lines.shift()
    const [next] = lines
    const isNested = value === undefined && next !== undefined && (next.indent > indent || (next.indent === indent && isItem(next)))
    entries.set(name, isNested ? readBlock(lines, next.indent) : readScalar(value ?? '', line.number))
  }
  return Object.fromEntries(entries)
}

function readScalar(text: string, number: number): Yaml {
  if (text === '' || text === 'null' || text === '~') return null
  if (text === '{}') return {}
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (text.startsWith('"')) return JSON.parse(text) as string // the escapes that are used are those of JSON
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1)
  if (text.startsWith('[') && text.endsWith(']')) return readFlow(text, number)
  if (/^[&*!|>%@`'[{}\]]/.test(text) || text.includes(': ')) throw new Error(`line ${number} has more of YAML than is read here: ${text}`)
  return text
}

function readFlow(text: string, number: number): Yaml[] {
  if (text.includes('"')) return JSON.parse(text) as Yaml[]
  return text.slice(1, -1).split(',').map(part => readScalar(part.trim(), number))
}
