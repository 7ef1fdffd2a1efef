import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SheafResult } from '../../../clients/typescript/src/result'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'

/** Names in a response, and the names that all clients give the file. */
const NAMES: [sent: string, safe: string][] = [
  ['report.pdf', 'report.pdf'],
  ['Rechnung März 山 👍.pdf', 'Rechnung März 山 👍.pdf'],
  ['../../etc/passwd', '__.._etc_passwd'],
  ['/etc/passwd', '_etc_passwd'],
  ['C:x', 'C_x'],
  ['C:\\Windows\\a.pdf', 'C__Windows_a.pdf'],
  ['\\\\server\\share\\a.pdf', '__server_share_a.pdf'],
  ['a.pdf:stream', 'a.pdf_stream'],
  ['a.pdf::$DATA', 'a.pdf__$DATA'],
  ['CON', '_CON'],
  ['con.pdf', '_con.pdf'],
  ['NUL.tar.gz', '_NUL.tar.gz'],
  ['AUX .pdf', '_AUX .pdf'],
  ['COM1.pdf', '_COM1.pdf'],
  ['LPT¹.pdf', '_LPT¹.pdf'],
  ['CONOUT$', '_CONOUT$'],
  ['console.pdf', 'console.pdf'],
  ['COM10.pdf', 'COM10.pdf'],
  ['.bashrc', '_bashrc'],
  ['...', '_'],
  ['. .pdf', '_pdf'],
  ['a.pdf. ', 'a.pdf._'],
  ['a\r\nb\u0000\u001b[31m\u0085.pdf', 'a__b__[31m_.pdf'],
  ['fdp.\u202eexe', 'fdp._exe'],
  ['a\u2028b\u200fc\u2066d\ufeff.pdf', 'a_b_c_d_.pdf'],
  ['a<b>c|d?e*f"g.pdf', 'a_b_c_d_e_f_g.pdf'],
  [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(196)}.pdf`],
  [`${'山'.repeat(120)}.pdf`, `${'山'.repeat(65)}.pdf`],
  ['👍'.repeat(120), '👍'.repeat(50)],
  [`a.${'b'.repeat(300)}`, `a.${'b'.repeat(198)}`],
]

/** The client for TypeScript reads a header as browsers do. */
function readName(disposition: string): string {
  const response = new Response('', { headers: { 'content-disposition': disposition } })
  return new SheafResult(response, { idempotencyKey: '', repeat: undefined }).name
}

const dispositionOf = (name: string) => `attachment; filename="x.pdf"; filename*=UTF-8''${encodeURIComponent(name)}`

describe('the file name of a response', () => {
  it.each(NAMES)('%j is %j in TypeScript', (sent, safe) => expect(readName(dispositionOf(sent))).toBe(safe))

  it.runIf(hasPython())('is the same in Python', async () => {
    const headers = JSON.stringify(NAMES.map(([sent]) => dispositionOf(sent)))
    const { stdout } = await promisify(execFile)('python3', ['-c', PROGRAM, headers], { env: PYTHON_ENVIRONMENT })
    expect(JSON.parse(stdout)).toEqual(NAMES.map(([, safe]) => safe))
  })

  it.each([
    [`attachment; filename="..\\NUL.pdf"`, '__NUL.pdf'],
    [`attachment; FILENAME="nul"`, '_nul'],
    [`attachment; filename="plain.pdf"; filename*=UTF-8''%ff%fe.pdf`, 'plain.pdf'],
    ['attachment', 'file'],
  ])('is safe in other headers too: %s', (disposition, safe) => expect(readName(disposition)).toBe(safe))
})

const PROGRAM = `
import email.message, json, sys, types
from sheaf import SheafResult
def read_name(disposition):
    headers = email.message.Message()
    headers["Content-Disposition"] = disposition
    response = types.SimpleNamespace(headers=headers)
    return SheafResult(types.SimpleNamespace(response=response), "", None).name
print(json.dumps([read_name(one) for one in json.loads(sys.argv[1])]))
`
