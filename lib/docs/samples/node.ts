import { Code, type LiteralStyle, writeLiteral } from './literal'
import { KEY_VARIABLE, plainText, type SampleLanguage, type SampleRequest } from './request'

/** JSON values in JavaScript. */
export const NODE_STYLE: LiteralStyle = {
  words: { true: 'true', false: 'false', null: 'null' },
  text: quote,
  list: { open: '[', close: ']' },
  map: () => ({ open: '{', close: '}' }),
  entry: (key, value) => `${writeKey(key)}: ${value}`,
  indent: '  ',
  isRoomy: true,
}

/** Node.js 18 or later, as a module, without packages. */
export const node: SampleLanguage = {
  id: 'node',
  name: 'Node',
  writeForm(request) {
    const { files, values } = request
    const fields = Object.entries(values).map(([name, value]) => `form.append(${quote(name)}, ${writeText(value)})\n`)
    return `${writeImport(request)}

const form = new FormData()
${files ? writeFileParts(files) : ''}${fields.join('')}${writeSending(request, 'form')}`
  },
  writeJson(request) {
    const { files, values } = request
    const literal = (body: Record<string, unknown>) => `const body = ${writeLiteral(body, NODE_STYLE)}\n`
    const readBase64 = (name: string) => new Code(`await readFile(${name}, 'base64')`)
    const [first = ''] = files?.names ?? []
    const body = files
      ? files.names.length > 1
        ? `const inputs = []\nfor (const name of ${writeLiteral(files.names, NODE_STYLE)}) {\n  inputs.push({ name, ` +
          `dataBase64: ${readBase64('name').code} })\n}\n${literal({ [files.field]: new Code('inputs'), ...values })}`
        : literal({ [files.field]: { name: first, dataBase64: readBase64(quote(first)) }, ...values })
      : literal(values)
    return `${writeImport(request)}

${body}${writeSending(request, 'JSON.stringify(body)', { 'content-type': 'application/json' })}`
  },
}

function writeImport({ files }: SampleRequest): string {
  return `import { ${files ? 'readFile, ' : ''}writeFile } from 'node:fs/promises'`
}

function writeFileParts({ field, names }: { field: string; names: string[] }): string {
  const append = (name: string) => `form.append(${quote(field)}, new Blob([await readFile(${name})]), ${name})\n`
  if (names.length === 1) return append(quote(names[0] ?? ''))
  return `for (const name of ${writeLiteral(names, NODE_STYLE)}) {\n  ${append('name')}}\n`
}

function writeText(value: unknown): string {
  const text = plainText(value)
  return text === undefined ? `JSON.stringify(${writeLiteral(value, NODE_STYLE)})` : quote(text)
}

function writeSending(
  { url, apiKey, responseName }: SampleRequest,
  body: string,
  headers: Record<string, string> = {},
): string {
  const key = apiKey === undefined ? new Code(`process.env.${KEY_VARIABLE}`) : apiKey
  return `const response = await fetch(${quote(url)}, {
  method: 'POST',
  headers: ${writeLiteral({ 'x-api-key': key, ...headers }, NODE_STYLE, '  ')},
  body${body === 'body' ? '' : `: ${body}`},
})
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)
await writeFile(${quote(responseName)}, Buffer.from(await response.arrayBuffer()))
console.log(response.headers.get('x-credit-balance'), 'credits left')`
}

function writeKey(key: string): string {
  if (key === '__proto__') return `['__proto__']` // Without brackets, `__proto__` would set the prototype.
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)
}

/** Returns a text in single quotes, escaped like JSON. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}
