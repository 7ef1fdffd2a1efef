export type Yaml = string | number | boolean | Yaml[] | { [key: string]: Yaml }

interface Line {
  number: number
  indent: number
  text: string
}

/**
 * Reads the part of YAML 1.2 that our own files keep to: mappings and lists in block style, plain and double-quoted
 * scalars, and literal blocks (`|`). Throws an Error with the line for everything else, also where others would guess.
 */
export function readPlainYaml(text: string): Yaml {
  const all = text.split('\n').map((raw, index) => ({ number: index + 1, indent: raw.search(/[^ ]|$/), text: raw.replace(/^ +/, '').trimEnd() }))
  let at = 0
  const fail = ({ number, text }: Line): never => {
    throw new Error(`line ${number}: ${text}`)
  }
  const skip = (): Line | undefined => {
    while (all[at] && /^(#.*)?$/.test(all[at]?.text ?? '')) at++
    return all[at]
  }
  const readLiteral = (indent: number) => {
    const lines: string[] = []
    for (let line = all[at]; line && (line.text === '' || line.indent > indent); line = all[++at]) lines.push(line.text)
    return `${lines.join('\n').trimEnd()}\n`
  }
  const readAfter = (rest: string, line: Line): Yaml => {
    if (rest === '|') return readLiteral(line.indent)
    if (rest !== '') return readScalar(rest, line)
    const next = skip()
    return next && next.indent > line.indent ? readBlock(next.indent) : fail(line)
  }
  const readScalar = (rest: string, line: Line): Yaml => {
    if (rest.startsWith('"')) return JSON.parse(rest) as string // a string or an error
    if (/^[[\]{}&*!|>'%@`#,?-]|: | #|:$/.test(rest)) return fail(line)
    if (/^(true|false)$/.test(rest)) return rest === 'true'
    return /^-?\d+(\.\d+)?$/.test(rest) ? Number(rest) : rest
  }
  const readBlock = (indent: number): Yaml => {
    const isList = all[at]?.text.startsWith('- ') ?? false
    const list: Yaml[] = []
    const map: Record<string, Yaml> = {}
    for (let line = skip(); line && line.indent >= indent; line = skip()) {
      if (line.indent !== indent || line.text.startsWith('- ') !== isList || line.text.includes('\t')) return fail(line)
      if (isList) list.push(readItem(line))
      else {
        const [, key = '', rest = ''] = /^([\w./-]+):(?: +(.*))?$/.exec(line.text) ?? fail(line)
        if (Object.hasOwn(map, key)) return fail(line)
        at++
        map[key] = readAfter(rest, line)
      }
    }
    return isList ? list : map
  }
  /** What follows the dash stands where a line of its own would, two columns further. */
  const readItem = (line: Line): Yaml => {
    const inner = line.text.slice(2).trim()
    if (/^[\w./-]+:( |$)/.test(inner)) {
      all[at] = { ...line, indent: line.indent + 2, text: inner }
      return readBlock(line.indent + 2)
    }
    at++
    return readScalar(inner, line)
  }
  const first = skip()
  return first ? readBlock(first.indent) : {}
}
