import { describe, expect, it } from 'vitest'
import { listLateChecks, listPatterns } from './listed-patterns.mjs'
import { superLinearProblem } from './super-linear.mjs'

describe('the check of regular expressions', () => {
  it.each([
    [/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, 'two loops'],
    [/\[([^\]]*)\]|([A-Za-z])\2*|[^A-Za-z]/g, 'searches again'],
    [/^data:image\/(png|jpe?g)(?:;[^,;]*)*;base64,(.*)$/is, 'loop inside of a loop'],
    [/^(a+)+$/, 'loop inside of a loop'],
    [/\s+$/, 'searches again'],
    [/^\s*x?\s*$/, 'two loops'],
    [/^.*:.*x$/, 'two loops'],
    [/^(?:a|b)*[^c]*d$/, 'two loops'],
    [/<meta[^>]+charset/, 'searches again'],
  ])('reports %s', ({ source, flags }, problem) => {
    expect(superLinearProblem(source, flags)).toContain(problem)
  })

  it.each([
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
    /\[([^[\]]*)\]/g,
    /\s+/g,
    /^[A-Za-z0-9+/]*={0,2}$/,
    /\p{M}{31,}/u,
    /^\/[\x21-\x3a\x3c-\x7e]*$/,
  ])('accepts %s', ({ source, flags }) => {
    expect(superLinearProblem(source, flags)).toBeUndefined()
  })

  it('reads expressions that are put together from constants', () => {
    const text = "const PAGE = String.raw`\\d+`\nconst TERM = new RegExp(String.raw`^${PAGE}-${PAGE}$`, 'i')"
    expect(listPatterns('a.ts', text)).toEqual([{ source: '^\\d+-\\d+$', flags: 'i', line: 2 }])
  })
})

describe('the check of schemas', () => {
  it.each([
    'z.string().max(60).superRefine(check)',
    'z.string().refine(check).max(60)',
    'z.string().min(1).max(60).regex(/a/)',
    'z.string().transform(read)',
  ])('reports %s', text => {
    expect(listLateChecks('a.ts', text)).toHaveLength(1)
  })

  it('accepts a length that ends the validation', () => {
    expect(listLateChecks('a.ts', 'z.string().max(60, { abort: true }).superRefine(check)')).toEqual([])
  })
})
