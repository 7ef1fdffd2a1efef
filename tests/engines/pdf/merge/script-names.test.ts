import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { RenamedFields } from '../../../../engines/pdf/merge/renamed-fields'
import { findGlobals, findNames } from '../../../../engines/pdf/merge/script-names'

/** A script with the fields `total`, `group`, `über` and the functions `calc` and `rate` renamed. */
function rename(script: string): string {
  const fields = new RenamedFields()
  for (const name of ['total', 'group', 'über', 'a', "it's"]) fields.add(name, '_2')
  const globals = new Map([
    ['calc', '_3'],
    ['rate', '_2'],
  ])
  let renamed = ''
  let done = 0
  for (const { at, text } of findNames(script, { fields, globals })) {
    renamed += script.slice(done, at) + text
    done = at
  }
  renamed += script.slice(done)
  // V8 must accept the new script if it accepted the old one.
  expect(() => new Script(renamed)).not.toThrow()
  return renamed
}

const SAME = Symbol('same')

const CASES: [title: string, script: string, renamed: string | typeof SAME][] = [
  ['double quotes', 'this.getField("total").value', 'this.getField("total_2").value'],
  ['single quotes', "getField('total')", "getField('total_2')"],
  ['templates', 'getField(`total`)', 'getField(`total_2`)'],
  ['substitutions', '`${f({ x: "total" })} total ${`total`}`', '`${f({ x: "total_2" })} total ${`total_2`}`'],
  ['fields below', 'f("group.total", "group." + i, "total.0")', 'f("group_2.total", "group_2." + i, "total_2.0")'],
  ['no other name', `"totals"; "my.total"; " total"; "total,b"; 'to' + 'tal'; "Total"`, SAME],
  ['comparisons', 'if (event.target.name == "total") f()', 'if (event.target.name == "total_2") f()'],
  ['arrays', 'AFSimple_Calculate("SUM", new Array ("a", "b"))', 'AFSimple_Calculate("SUM", new Array ("a_2", "b"))'],
  ['lists', 'AFSimple_Calculate("SUM", "a, b,total ")', 'AFSimple_Calculate("SUM", "a_2, b,total_2 ")'],
  ['no comments', `// getField("total")\n/* "total */ f() /* ' */`, SAME],
  ['code behind comments', `/* "total */ "total" // "\n"a"`, `/* "total */ "total_2" // "\n"a_2"`],
  ['code behind patterns', `x(/["']/g, "a"); /[/"]/.test("a")`, `x(/["']/g, "a_2"); /[/"]/.test("a_2")`],
  ['code behind divisions', 'x = 4 / 2; y = (1) / 2 + "a" / 3', 'x = 4 / 2; y = (1) / 2 + "a_2" / 3'],
  ['escapes', String.raw`"\x74ot\u0061l"; '\u00fcber.x'`, String.raw`"\x74ot\u0061l_2"; '\u00fcber_2.x'`],
  ['octal escapes', String.raw`"t\157tal"; "\141"`, String.raw`"t\157tal_2"; "\141_2"`],
  ['escaped quotes', String.raw`'it\'s'; "it's"; '\"'; "a"`, String.raw`'it\'s_2'; "it's_2"; '\"'; "a_2"`],
  ['continued lines', '"to\\\ntal"; "to\\\r\ntal"', '"to\\\ntal_2"; "to\\\r\ntal_2"'],
  ['scripts in strings', String.raw`setTimeOut("calc(\"a\")", 9)`, String.raw`setTimeOut("calc_3(\"a_2\")", 9)`],
  ['functions', 'function calc(x) { return rate } this.calc(1)', 'function calc_3(x) { return rate_2 } this.calc_3(1)'],
  ['no members', 'o.calc(); this.calc = 1; x = { calc: 1, rate: 2 }', SAME],
  ['spread values', 'f(...rate); this?.calc()', 'f(...rate_2); this?.calc_3()'],
  ['no optional members', 'o?.calc()', SAME],
  ['values of members', 'x = { calc: calc }; y ? rate : calc', 'x = { calc: calc_3 }; y ? rate_2 : calc_3'],
]

describe('names in scripts', () => {
  for (const [title, script, renamed] of CASES) {
    it(`are replaced in scripts: ${title}`, () => {
      expect(rename(script)).toBe(renamed === SAME ? script : renamed)
    })
  }

  it('are found again after an unclosed quote', () => {
    const fields = new RenamedFields()
    fields.add('total', '_2')
    const names = { fields, globals: new Map<string, string>() }
    expect(findNames(`it's broken\ngetField("total")`, names)).toEqual([{ at: 27, text: '_2' }])
  })

  it('are looked for in scripts of repeated marks', () => {
    const names = { fields: new RenamedFields(), globals: new Map<string, string>() }
    for (const part of ['(', '"', "'", '`', '${', '`${', '/', '\\', '.total', '{', '/*', '[/', '\\"', 'var a,', '\n']) {
      expect(findNames(part.repeat(2000), names)).toEqual([])
      expect([...findGlobals(part.repeat(2000))]).toEqual(part === 'var a,' ? ['a'] : [])
    }
  })

  it('include functions, classes and variables of all scripts', () => {
    const script = `var rate = f(1, x), limit\n, more = [1, inner]\nother = 2, none; let last
      function calc(arg, event) { var local; function inside() {} }
      var named = function own() {}; (function () { var hidden })(); class Sum {} ; var event, app`
    expect([...findGlobals(script)]).toEqual(['rate', 'limit', 'more', 'last', 'calc', 'named', 'Sum'])
  })
})
