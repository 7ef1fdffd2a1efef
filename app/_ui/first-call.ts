/** One way to make the first call: the tab's name and the text to copy. */
export interface CodeSample {
  id: string
  name: string
  text: string
}

/**
 * The first call in several languages: merges the two files that `/samples` offers.
 * Without a key the samples read it from the environment variable SHEAF_API_KEY.
 */
export function firstCallSamples(origin: string, apiKey?: string): CodeSample[] {
  const url = `${origin}/api/external/pdf-tools/merge-pdf`
  return [
    { id: 'curl', name: 'curl', text: curl(url, apiKey) },
    { id: 'node', name: 'Node', text: node(url, apiKey) },
    { id: 'python', name: 'Python', text: python(url, apiKey) },
  ]
}

function curl(url: string, apiKey: string | undefined): string {
  return [
    'curl --fail-with-body \\',
    `  ${url} \\`,
    `  -H "x-api-key: ${apiKey ?? '$SHEAF_API_KEY'}" \\`,
    '  -F files=@letter.pdf \\',
    '  -F files=@terms.pdf \\',
    '  -D - -o merged.pdf',
  ].join('\n')
}

function node(url: string, apiKey: string | undefined): string {
  return `import { readFile, writeFile } from 'node:fs/promises'

const form = new FormData()
for (const name of ['letter.pdf', 'terms.pdf']) {
  form.append('files', new Blob([await readFile(name)]), name)
}
const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'x-api-key': ${apiKey === undefined ? 'process.env.SHEAF_API_KEY' : `'${apiKey}'`} },
  body: form,
})
if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`)
await writeFile('merged.pdf', Buffer.from(await answer.arrayBuffer()))
console.log(answer.headers.get('x-credit-balance'), 'credits left')`
}

function python(url: string, apiKey: string | undefined): string {
  return `${apiKey === undefined ? 'import os\n' : ''}import requests

names = ['letter.pdf', 'terms.pdf']
answer = requests.post(
    '${url}',
    headers={'x-api-key': ${apiKey === undefined ? "os.environ['SHEAF_API_KEY']" : `'${apiKey}'`}},
    files=[('files', (name, open(name, 'rb'), 'application/pdf')) for name in names],
    timeout=60,
)
if not answer.ok:
    raise SystemExit(f'{answer.status_code} {answer.text}')
with open('merged.pdf', 'wb') as file:
    file.write(answer.content)
print(answer.headers['x-credit-balance'], 'credits left')`
}
