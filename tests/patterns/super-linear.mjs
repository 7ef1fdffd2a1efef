// Finds regular expressions whose time can grow faster than their text. The analysis is conservative: it compares the
// characters that loops match, and may report an expression that is fast.

/** Characters that stand for all others when two loops are compared. */
const PROBES = [...Array.from({ length: 0x180 }, (_, code) => code), 0x0416, 0x2003, 0x2028, 0x4e2d, 0xd83d, 0xffff]

/** Why an expression can take more than linear time. Undefined if it can't. */
export function superLinearProblem(source, flags) {
  const tree = parse(source, flags)
  return (
    findNested(tree) ?? findNeighbors(tree) ?? (isAnchored(tree) || flags.includes('y') ? undefined : findRestart(tree))
  )
}

/** A loop without an upper limit inside of another one. */
function findNested(node, isInLoop = false) {
  if (isLoop(node) && isInLoop) return 'has a loop inside of a loop'
  for (const child of childrenOf(node)) {
    const problem = findNested(child, isInLoop || isLoop(node))
    if (problem) return problem
  }
  return undefined
}

/** Two loops that match the same character, with nothing between them that ends the first one. */
function findNeighbors(node) {
  if (node.kind === 'sequence')
    for (const [index, first] of node.parts.entries())
      if (isLoop(first) && meetsLoop(first.body, { kind: 'sequence', parts: node.parts.slice(index + 1) }))
        return 'has two loops that match the same character'
  return firstOf(node, findNeighbors)
}

/** Whether a later loop can take characters of an earlier one. A part that the earlier loop can't match separates them. */
function meetsLoop(body, node) {
  if (isLoop(node)) return overlap(body, node.body)
  if (node.kind !== 'sequence') return childrenOf(node).some(child => meetsLoop(body, child))
  for (const part of node.parts) {
    if (meetsLoop(body, part)) return true
    if (!isNullable(part) && part.kind !== 'look' && !overlap(body, part)) return false
  }
  return false
}

/** An expression that can begin at each character of its own loop, and fails after the loop. */
function findRestart(tree) {
  for (const sequence of sequencesIn(tree)) {
    const start = sequence.findIndex(part => !isNullable(part))
    const heads = sequence.slice(0, start < 0 ? sequence.length : start + 1)
    for (const [index, part] of sequence.entries())
      for (const loop of loopsIn(part)) {
        const canFail = sequence.slice(index + 1).some(next => !isNullable(next)) || part !== loop
        if (canFail && heads.some(head => overlap(head, loop.body))) return 'searches again inside of its own loop'
      }
  }
  return undefined
}

function sequencesIn(node) {
  if (node.kind === 'alternatives') return node.branches.flatMap(sequencesIn)
  if (node.kind === 'group') return sequencesIn(node.body)
  return [node.kind === 'sequence' ? node.parts : [node]]
}

function firstOf(node, find) {
  for (const child of childrenOf(node)) {
    const problem = find(child)
    if (problem) return problem
  }
  return undefined
}

function childrenOf(node) {
  return node.parts ?? node.branches ?? (node.body ? [node.body] : [])
}

function isLoop(node) {
  return node.kind === 'repeat' && node.most === Infinity
}

function loopsIn(node) {
  if (isLoop(node)) return [node]
  return node.kind === 'look' ? [] : childrenOf(node).flatMap(loopsIn)
}

function isNullable(node) {
  switch (node.kind) {
    case 'repeat':
      return node.least === 0 || isNullable(node.body)
    case 'group':
      return isNullable(node.body)
    case 'sequence':
      return node.parts.every(isNullable)
    case 'alternatives':
      return node.branches.some(isNullable)
    default:
      return false
  }
}

function isAnchored(node) {
  switch (node.kind) {
    case 'start':
      return true
    case 'group':
      return isAnchored(node.body)
    case 'sequence':
      return node.parts.length > 0 && isAnchored(node.parts[0])
    case 'alternatives':
      return node.branches.every(isAnchored)
    default:
      return false
  }
}

/** The characters with which a node can begin, or that it is made of. */
function charactersOf(node) {
  if (node.kind === 'character') return node.matches
  if (node.kind === 'sequence') {
    const end = node.parts.findIndex(part => !isNullable(part) && part.kind !== 'look' && part.kind !== 'start')
    return unite(node.parts.slice(0, end < 0 ? undefined : end + 1))
  }
  return unite(node.kind === 'look' ? [] : childrenOf(node))
}

function unite(nodes) {
  return new Set(nodes.flatMap(node => [...charactersOf(node)]))
}

function overlap(one, other) {
  const characters = charactersOf(one)
  return [...charactersOf(other)].some(character => characters.has(character))
}

/** Parses the source of a valid expression. */
function parse(source, flags) {
  let at = 0
  const parseAlternatives = () => {
    const branches = [parseSequence()]
    while (source[at] === '|') {
      at++
      branches.push(parseSequence())
    }
    return branches.length === 1 ? branches[0] : { kind: 'alternatives', branches }
  }
  const parseSequence = () => {
    const parts = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseQuantifier(parseAtom()))
    return { kind: 'sequence', parts }
  }
  const parseQuantifier = body => {
    const [text, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(source.slice(at)) ?? []
    if (text === undefined) return body
    at += text.length
    const bounds = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[sign]
    const [from, to] = bounds ?? [Number(least), most === undefined ? (comma ? Infinity : Number(least)) : Number(most)]
    return { kind: 'repeat', body, least: from, most: to }
  }
  const parseAtom = () => {
    const rest = source.slice(at)
    const group = /^\((\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(rest)
    if (group) {
      at += group[0].length
      const body = parseAlternatives()
      at++
      return { kind: /[=!]$/.test(group[0]) ? 'look' : 'group', body }
    }
    const [atom] = /^(?:\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[^])|[^])/iu.exec(
      rest,
    )
    at += atom.length
    if (atom === '^') return { kind: 'start' }
    if (atom === '$' || /^\\[bB]$/.test(atom)) return { kind: 'look' }
    return { kind: 'character', matches: matchesOf(atom, flags) }
  }
  return parseAlternatives()
}

const known = new Map()

/** A reference to a group could match anything. */
function matchesOf(atom, flags) {
  const key = `${flags}/${atom}`
  if (!known.has(key)) known.set(key, /^\\(?:[1-9]|k)/.test(atom) ? new Set(PROBES) : findMatches(atom, flags))
  return known.get(key)
}

function findMatches(atom, flags) {
  const expression = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''))
  return new Set(PROBES.filter(code => expression.test(String.fromCodePoint(code))))
}
