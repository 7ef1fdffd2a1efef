import { expect, it } from 'vitest'
import {
  parseHeaders,
  readError,
  readFacts,
  readFileName,
} from '../../../../../app/_ui/playground/request/response-details'

it('assigns each error to the field that the service names, without repeating the name', () => {
  const one = readError(
    JSON.stringify({
      error: 'pdf_tool_processing_failed',
      message: 'options.pages[1]: page 12 is not here',
      param: 'options.pages[1]',
      requestId: 'req_1',
    }),
    'options',
  )
  expect(one).toMatchObject({
    code: 'pdf_tool_processing_failed',
    requestId: 'req_1',
    problems: [{ path: ['pages', 1], param: 'options.pages[1]', message: 'page 12 is not here' }],
  })
  const several = readError(
    JSON.stringify({
      error: 'x',
      message: '2 errors',
      problems: [
        { param: 'file', message: 'is required' },
        { param: 'options.angle', message: 'is required' },
      ],
    }),
    'options',
  )
  expect(several.problems.map(({ path }) => path)).toEqual([undefined, ['angle']])
  expect(readError('{"message":"m","param":"items[0].rate"}', undefined).problems[0]?.path).toEqual([
    'items',
    0,
    'rate',
  ])
})

it("describes a response that isn't Sheaf's", () => {
  expect(readError('<html>502</html>', 'options')).toMatchObject({
    code: 'unknown',
    problems: [],
    message: expect.stringContaining('unknown response') as string,
  })
})

it('reads times, credits and warnings from the headers', () => {
  const headers = parseHeaders(
    'content-type: application/pdf\r\nserver-timing: auth;dur=0.61, work;dur=12.08\r\nx-credit-balance: ' +
      '99\r\nx-credits-charged: 1\r\nx-warnings: repaired, browser-origin\r\n',
  )
  expect(readFacts(200, 31, headers)).toMatchObject({
    phases: [
      { name: 'auth', ms: 0.61 },
      { name: 'work', ms: 12.08 },
    ],
    balance: 99,
    charged: 1,
    warnings: ['repaired'], // A warning about browser requests is not useful here.
  })
})

it('reads the name of a file in any script', () => {
  expect(readFileName('attachment; filename="_.pdf"; filename*=UTF-8\'\'%E5%B1%B1.pdf', 'x')).toBe('山.pdf')
  expect(readFileName('attachment; filename="a b.pdf"', 'x')).toBe('a b.pdf')
  expect(readFileName(undefined, 'x.pdf')).toBe('x.pdf')
})
