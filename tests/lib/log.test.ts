import { describe, expect, it } from 'vitest'
import { describeError } from '../../lib/log'

const SECRET = 'Confidential'

/** The complete log entry for an error, as it is written. */
const write = (error: unknown) => JSON.stringify(describeError(error))

describe('the log entry of an error', () => {
  it.each([
    ['a parser', new SyntaxError(`Unexpected token 'C', "${SECRET}" is not valid JSON`)],
    ['Postgres', Object.assign(new Error(`invalid input syntax for type uuid: "${SECRET}"`), { code: '22P02' })],
    ['a query', new Error(`Failed query: insert into users values ($1)\nparams: ${SECRET}`)],
    ['a browser', new Error(`net::ERR_CONNECTION_REFUSED at https://${SECRET}.example/page?token=${SECRET}`)],
    ['a mail server', new Error(`Message failed: 550 5.1.1 <${SECRET}@example.com>: Recipient address rejected`)],
    ['a key', new Error(`no account has sheaf_live_${SECRET}`)],
    [
      'a process that ended',
      new Error(
        `engine process ended: exit code 1, signal null\n/srv/engine.mjs:7\nthrow new Error(${SECRET})\nError: ` +
          `${SECRET}\n    at run (file:///srv/engine.mjs:7:9)`,
      ),
    ],
    [
      'an error with a cause',
      new Error('no page', { cause: new TypeError(`Cannot read properties of undefined (reading '${SECRET}')`) }),
    ],
    ['a thrown string', `${'x'.repeat(400)}${SECRET}`],
    ['a thrown object', { text: SECRET }],
  ])('contains no value from the message of %s', (_, error) => {
    expect(write(error)).not.toContain(SECRET)
  })

  it('contains what helps to find the bug', () => {
    expect(
      describeError(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })),
    ).toMatchObject({ name: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:5432', code: 'ECONNREFUSED' })
    expect(describeError(new Error("it can't be read, nor 'this'")).message).toBe("it can't be read, nor …")
    expect(describeError(new TypeError('no')).stack).toEqual(
      expect.arrayContaining([expect.stringMatching(/^at .*log\.test\.ts:\d+/)]),
    )
    expect(
      describeError(
        'engine process ended: signal SIGABRT\n<--- JS stacktrace --->\n    at run (file:///srv/engine.mjs:7:9)',
      ).message,
    ).toBe('engine process ended: signal SIGABRT at run (file:///srv/engine.mjs:7:9)')
  })

  it('omits positions in the scripts of web pages', () => {
    const error = new Error('thrown by a page')
    error.stack = `Error: x\n    at ${SECRET} (https://${SECRET}.example/a.js:1:2)\n    at evaluate (file:///srv/pages.mjs:3:4)`
    expect(describeError(error).stack).toEqual(['at evaluate (file:///srv/pages.mjs:3:4)'])
  })
})
