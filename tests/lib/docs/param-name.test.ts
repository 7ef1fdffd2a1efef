import { describe, expect, it } from 'vitest'
import { keepKnownParam } from '../../../lib/docs/param-name'

describe('the name of a refused field', () => {
  it.each([
    ['pdf-tools/rotate-pdf', 'options.angle', 'options.angle'],
    ['pdf-tools/rotate-pdf', 'options.secret', 'options'],
    ['pdf-tools/rotate-pdf', 'file', 'file'],
    ['pdf-tools/merge-pdf', 'files[3]', 'files[3]'],
    ['pdf-tools/rotate-pdf', 'my secret', null],
    ['pdf-tools/rotate-pdf', 'Idempotency-Key', 'Idempotency-Key'],
    ['pdf-tools/pdf-redaction', 'options.areas[0].x', 'options.areas[0].x'],
    ['pdf-tools/pdf-redaction', 'options.areas[0].secret', 'options.areas[0]'],
    ['pdf-tools/form-filler', 'options.fields["Date of birth"]', 'options.fields'],
    ['pdf-tools/form-filler', 'options.fields.secret', 'options.fields'],
    ['invoice-generator/pdf', 'items[12].rate', 'items[12].rate'],
    ['invoice-generator/pdf', 'from.name', 'from.name'],
    ['invoice-generator/pdf', 'fromSecret', null],
    ['webpage-to-pdf/pdf', 'url', 'url'],
    ['webpage-to-pdf/pdf', 'pageSize', 'pageSize'],
    ['webpage-to-pdf/pdf', '__proto__', null],
    ['pdf-tools/none', 'file', null],
    ['pdf-tools/rotate-pdf', undefined, null],
    ['pdf-tools/rotate-pdf', '', null],
  ])('of %s, %s, is shown as %s', (operation, param, kept) => {
    expect(keepKnownParam(operation, param)).toBe(kept)
  })
})
