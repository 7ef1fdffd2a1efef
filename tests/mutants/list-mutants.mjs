import { parseSync } from 'oxc-parser'

const COMPARISONS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '===': ['!=='],
  '!==': ['==='],
}
const ARITHMETIC = { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'], '+=': ['-='], '-=': ['+='] }
const LOGICAL = { '&&': ['||'], '||': ['&&'] }
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'])
/** The only nodes with code inside types and assertions. */
const TYPED_CODE = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

/**
 * Lists the small changes of a file that tests should notice, in order: `{ file, line, start, end, before, after }`.
 * They replace comparison, arithmetic and logical operators and `true` and `false`, drop negations and calls whose
 * result isn't used, and drop conditions with which a function or a loop ends early.
 */
export function listMutants(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0].message}`)
  const mutants = []
  const add = (start, end, after) =>
    mutants.push({
      file,
      line: source.slice(0, start).split('\n').length,
      start,
      end,
      before: source.slice(start, end),
      after,
    })
  const replaceOperator = ({ left, right, operator }, others = []) => {
    const start = left.end + source.slice(left.end, right.start).indexOf(operator)
    for (const other of others) add(start, start + operator.length, other)
  }
  const visit = node => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node?.type !== 'string') return
    if (node.type.startsWith('TS') && !TYPED_CODE.has(node.type)) return
    if (node.type === 'ImportDeclaration') return
    if (node.type === 'BinaryExpression' && !isText(node.left) && !isText(node.right))
      replaceOperator(node, COMPARISONS[node.operator] ?? ARITHMETIC[node.operator])
    if (node.type === 'AssignmentExpression') replaceOperator(node, ARITHMETIC[node.operator])
    if (node.type === 'LogicalExpression') replaceOperator(node, LOGICAL[node.operator])
    if (node.type === 'Literal' && typeof node.value === 'boolean') add(node.start, node.end, String(!node.value))
    if (node.type === 'UnaryExpression' && node.operator === '!') add(node.start, node.start + 1, '')
    if (node.type === 'IfStatement' && node.alternate === null && endsEarly(node.consequent))
      add(node.start, node.end, ';')
    if (node.type === 'ExpressionStatement' && isCall(node.expression)) add(node.start, node.end, ';')
    for (const [key, child] of Object.entries(node)) if (key !== 'typeAnnotation') visit(child)
  }
  visit(program.body)
  return mutants.toSorted((one, other) => one.start - other.start || one.end - other.end)
}

function isText({ type, value }) {
  return type === 'TemplateLiteral' || typeof value === 'string'
}

function isCall({ type, operator, argument }) {
  if (type === 'AwaitExpression' || operator === 'void') return isCall(argument)
  return type === 'CallExpression' || type === 'ChainExpression'
}

function endsEarly(statement) {
  const [only, ...others] = statement.type === 'BlockStatement' ? statement.body : [statement]
  return only !== undefined && others.length === 0 && LEAVES.has(only.type)
}
