import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { writeCurl } from '../../../../../app/_ui/playground/request/curl'
import { writeRequest } from '../../../../../app/_ui/playground/request/request-body'

const URL = 'http://127.0.0.1:3000/api/external/pdf-tools/rotate-pdf'
const tool = { files: 'one', optionsKey: 'options' } as const

/** The words that a shell makes of a command. */
function readWords(command: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  return execFileSync('sh', ['-c', script], {
    env: { ...process.env, SHEAF_API_KEY: 'sheaf_live_1' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)
}

it('writes the options and files of a form, quoted for a shell', () => {
  const options = { angle: 90, pages: 'it\'s $HOME `x` \\ "é"' }
  const { text, needs } = writeCurl({
    url: URL,
    parts: writeRequest(tool, options, true),
    fileNames: ["Ann's report.pdf"],
    outputName: 'out.pdf',
  })
  expect(needs).toBeUndefined()
  expect(readWords(text)).toEqual([
    '--fail-with-body',
    URL,
    '-H',
    'x-api-key: sheaf_live_1',
    '-F',
    "file=@Ann's report.pdf",
    '--form-string',
    `options=${JSON.stringify(options)}`,
    '-D',
    '-',
    '-o',
    'out.pdf',
  ])
})

it('quotes names that curl itself would interpret, and keeps the order of files', () => {
  const { text } = writeCurl({
    url: URL,
    parts: writeRequest({ files: 'many', optionsKey: 'options' }, {}, true),
    fileNames: ['b;type=x,"1".pdf', 'a.pdf'],
    outputName: '-x.pdf',
  })
  const words = readWords(text)
  expect(words.filter(word => word.startsWith('files='))).toEqual(['files=@"b;type=x,\\"1\\".pdf"', 'files=@a.pdf'])
  expect(words).not.toContain('--form-string')
  expect(words.at(-1)).toBe('./-x.pdf')
})

it('sends a request without files as JSON, and the fields of a page with a file as a form', () => {
  const options = { margin: { top: '20mm' }, html: '<p>a & b</p>', scale: 2 }
  const json = readWords(
    writeCurl({
      url: URL,
      parts: writeRequest({ files: 'html', optionsKey: undefined }, options, false),
      fileNames: [],
      outputName: 'a.pdf',
    }).text,
  )
  expect(JSON.parse(json[json.indexOf('--data-raw') + 1] ?? '')).toEqual(options)
  const form = readWords(
    writeCurl({
      url: URL,
      parts: writeRequest({ files: 'html', optionsKey: undefined }, options, true),
      fileNames: ['page.html'],
      outputName: 'a.pdf',
    }).text,
  )
  expect(form).toContain('file=@page.html')
  expect(form).toContain('margin={"top":"20mm"}')
  expect(form).toContain('html=<p>a & b</p>')
  expect(form).toContain('scale=2')
})

it('reads a value from a file if it is too long for a command', () => {
  const options = { image: { name: 'a.png', dataBase64: 'A'.repeat(200_000) } }
  const form = writeCurl({
    url: URL,
    parts: writeRequest(tool, options, true),
    fileNames: ['a.pdf'],
    outputName: 'a.pdf',
  })
  expect(form.text).toContain("-F 'options=<options.txt'")
  expect(JSON.parse(form.needs?.text ?? '')).toEqual(options)
  const json = writeCurl({
    url: URL,
    parts: writeRequest({ files: 'none', optionsKey: undefined }, options, false),
    fileNames: [],
    outputName: 'a.pdf',
  })
  expect(json.text).toContain('--data-binary @body.json')
  expect(json.text.length).toBeLessThan(400)
})
