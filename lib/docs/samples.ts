import type { DocumentedCall } from './calls'
import { writeJsonExample } from './openapi-body'

/** One way to send a call: the name of its language and the text to copy. */
export interface Sample {
  id: string
  name: string
  text: string
}

interface Parts {
  url: string
  field: string
  names: string[]
  options: unknown
  hasOptions: boolean
  output: string
}

/**
 * The first example of a call in several languages, with the key from the environment variable SHEAF_API_KEY. Calls with
 * files are sent as multipart forms, those without as JSON; the last sample is the body in JSON.
 */
export function writeSamples(call: DocumentedCall, origin: string): Sample[] {
  const [example] = call.examples
  const options = example?.options ?? {}
  const json = JSON.stringify(writeJsonExample(call, options), null, 2)
  const isForm = call.optionsKey !== undefined
  const parts: Parts = {
    url: `${origin}${call.path}`,
    field: call.files === 'many' ? 'files' : 'file',
    names: call.files === 'many' ? ['letter.pdf', 'terms.pdf'] : ['report.pdf'],
    options,
    hasOptions: Object.keys(options).length > 0,
    output: call.answerName,
  }
  return [
    { id: 'curl', name: 'curl', text: isForm ? curlForm(parts) : curlJson(parts) },
    { id: 'node', name: 'Node', text: isForm ? nodeForm(parts) : nodeJson(parts) },
    { id: 'python', name: 'Python', text: isForm ? pythonForm(parts) : pythonJson(parts) },
    { id: 'json', name: 'JSON', text: json },
  ]
}

function curlForm({ url, field, names, options, hasOptions, output }: Parts): string {
  return [
    `curl --fail-with-body ${url} \\`,
    '  -H "x-api-key: $SHEAF_API_KEY" \\',
    ...names.map(name => `  -F ${field}=@${name} \\`),
    ...(hasOptions ? [`  --form-string options=${quoteForShell(JSON.stringify(options))} \\`] : []),
    `  -o ${output}`,
  ].join('\n')
}

function curlJson({ url, options, output }: Parts): string {
  return [
    `curl --fail-with-body ${url} \\`,
    '  -H "x-api-key: $SHEAF_API_KEY" \\',
    '  -H "content-type: application/json" \\',
    `  -d ${quoteForShell(JSON.stringify(options, null, 2))} \\`,
    `  -o ${output}`,
  ].join('\n')
}

function nodeForm({ url, field, names, options, hasOptions, output }: Parts): string {
  const [first] = names
  const files =
    names.length > 1
      ? `for (const name of [${names.map(name => `'${name}'`).join(', ')}]) {\n  form.append('${field}', new Blob([await readFile(name)]), name)\n}`
      : `form.append('${field}', new Blob([await readFile('${first}')]), '${first}')`
  return `import { readFile, writeFile } from 'node:fs/promises'

const form = new FormData()
${files}
${hasOptions ? `form.append('options', JSON.stringify(${JSON.stringify(options)}))\n` : ''}const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'x-api-key': process.env.SHEAF_API_KEY },
  body: form,
})
${nodeEnd(output)}`
}

function nodeJson({ url, options, output }: Parts): string {
  return `import { writeFile } from 'node:fs/promises'

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'x-api-key': process.env.SHEAF_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(options, null, 2).replaceAll('\n', '\n  ')}),
})
${nodeEnd(output)}`
}

function nodeEnd(output: string): string {
  return `if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`)
await writeFile('${output}', Buffer.from(await answer.arrayBuffer()))
console.log(answer.headers.get('x-credit-balance'), 'credits left')`
}

function pythonForm({ url, field, names, options, hasOptions, output }: Parts): string {
  const files = names.map(name => `('${field}', ('${name}', open('${name}', 'rb'), 'application/pdf'))`)
  return `${hasOptions ? 'import json\n' : ''}import os
import requests

answer = requests.post(
    '${url}',
    headers={'x-api-key': os.environ['SHEAF_API_KEY']},
    files=[${files.length > 1 ? `\n        ${files.join(',\n        ')},\n    ` : files.join('')}],
${hasOptions ? `    data={'options': json.dumps(${writePython(options)})},\n` : ''}    timeout=60,
)
${pythonEnd(output)}`
}

function pythonJson({ url, options, output }: Parts): string {
  return `import os
import requests

answer = requests.post(
    '${url}',
    headers={'x-api-key': os.environ['SHEAF_API_KEY']},
    json=${writePython(options, '    ')},
    timeout=60,
)
${pythonEnd(output)}`
}

function pythonEnd(output: string): string {
  return `if not answer.ok:
    raise SystemExit(f'{answer.status_code} {answer.text}')
with open('${output}', 'wb') as file:
    file.write(answer.content)
print(answer.headers['x-credit-balance'], 'credits left')`
}

/** A JSON value as Python spells it; over several lines when an indent is given. */
function writePython(value: unknown, indent?: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const deeper = indent === undefined ? undefined : `${indent}    `
  const entries = Array.isArray(value)
    ? value.map(item => writePython(item, deeper))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writePython(item, deeper)}`)
  if (deeper === undefined || entries.length === 0) return `${open}${entries.join(', ')}${close}`
  return `${open}\n${entries.map(entry => `${deeper}${entry},\n`).join('')}${indent}${close}`
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
