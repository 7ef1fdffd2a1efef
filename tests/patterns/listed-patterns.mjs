import { parseSync } from 'oxc-parser'

/**
 * Lists the regular expressions of a source text, with their lines. Expressions that are put together at run time have
 * no source here, unless all parts are constants of the same file.
 */
export function listPatterns(path, text) {
  const { program } = parseSync(path, text)
  const constants = new Map()
  const patterns = []
  visit(program, node => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      const value = readText(node.init, constants)
      if (value !== undefined) constants.set(node.id.name, value)
    }
    if (node.type === 'Literal' && node.regex) add(node.regex.pattern, node.regex.flags, node)
    if (node.type === 'NewExpression' && node.callee.name === 'RegExp') {
      const source = readText(node.arguments[0], constants)
      const flags = node.arguments[1] ? readText(node.arguments[1], constants) : ''
      if (source !== undefined && flags !== undefined) add(source, flags, node)
    }
  })
  function add(source, flags, node) {
    patterns.push({ source, flags, line: text.slice(0, node.start).split('\n').length })
  }
  return patterns
}

/** Lists chains of a schema in which a check sees a text whose length isn't checked, or not with `abort`. */
export function listLateChecks(path, text) {
  const { program } = parseSync(path, text)
  const found = []
  visit(program, node => {
    const name = methodOf(node)
    if (name !== 'superRefine' && name !== 'refine' && name !== 'regex' && name !== 'transform') return
    const calls = chainOf(node.callee.object)
    if (!calls.some(call => methodOf(call) === 'string')) return
    const limit = calls.find(call => methodOf(call) === 'max')
    if (!limit || !/\babort: true\b/.test(text.slice(limit.callee.end, limit.end)))
      found.push({ name, line: text.slice(0, node.callee.property.start).split('\n').length })
  })
  return found
}

function methodOf(node) {
  return node?.type === 'CallExpression' && node.callee.type === 'MemberExpression'
    ? node.callee.property.name
    : undefined
}

/** The calls of a chain such as `z.string().max(5)`, from the end. */
function chainOf(node) {
  return methodOf(node) === undefined ? [] : [node, ...chainOf(node.callee.object)]
}

/** The text of an expression that is made of constants. */
function readText(node, constants) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'Identifier') return constants.get(node.name)
  const isRaw = node?.type === 'TaggedTemplateExpression' && node.tag.property?.name === 'raw'
  const template = isRaw ? node.quasi : node?.type === 'TemplateLiteral' ? node : undefined
  if (!template) return undefined
  const values = template.expressions.map(expression => readText(expression, constants))
  if (values.includes(undefined)) return undefined
  return template.quasis.map(({ value }, index) => (isRaw ? value.raw : value.cooked) + (values[index] ?? '')).join('')
}

function visit(node, enter) {
  if (typeof node !== 'object' || node === null) return
  if (typeof node.type === 'string') enter(node)
  for (const child of Object.values(node)) visit(child, enter)
}
