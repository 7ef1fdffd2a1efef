import type { OptionRow } from '../describe'

/** An option with the options inside of it. */
export interface NestedOption {
  row: OptionRow
  members: NestedOption[]
  /** Name of an earlier option with the same members. Then `members` is empty. */
  sameAs?: string
}

/** So few members are never replaced by a link to the same ones. */
const FEW_MEMBERS = 3

/**
 * Returns the rows of an option table as a tree. Rows of members follow the row of their object, and begin with its
 * name. Members that an earlier object has too, such as those of a second address, are only there.
 */
export function nestOptions(rows: readonly OptionRow[]): NestedOption[] {
  const nodes = new Map<string, NestedOption>()
  const roots: NestedOption[] = []
  for (const row of rows) {
    const path = row.name.replaceAll('[]', '')
    const node = { row, members: [] }
    nodes.set(path, node)
    const parent = nodes.get(path.slice(0, Math.max(0, path.lastIndexOf('.'))))
    ;(parent?.members ?? roots).push(node)
  }
  const seen = new Map<string, string>()
  return roots.map(root => joinSame(root, seen))
}

/** Lists the rows of a tree in their order. */
export function listRows(options: readonly NestedOption[]): OptionRow[] {
  return options.flatMap(({ row, members }) => [row, ...listRows(members)])
}

function joinSame(node: NestedOption, seen: Map<string, string>): NestedOption {
  const { row, members } = node
  if (members.length <= FEW_MEMBERS) return { row, members: members.map(member => joinSame(member, seen)) }
  const shape = JSON.stringify(describeMembers(node, row.name))
  const sameAs = seen.get(shape)
  if (sameAs !== undefined) return { row, members: [], sameAs }
  seen.set(shape, row.name)
  return { row, members: members.map(member => joinSame(member, seen)) }
}

/** Everything that a reader sees of the members, with names from their object on. */
function describeMembers({ members }: NestedOption, object: string): unknown[] {
  return members.map(member => [
    { ...member.row, name: member.row.name.slice(object.length) },
    describeMembers(member, object),
  ])
}
