import { listNodes, type Plan } from './explained-database'

/** Indexes that may be scanned completely, because they only contain running requests. */
const SHORT_INDEXES = new Set(['holds_open'])

/** Tables that a plan scans completely, row by row or by an index without a condition. */
export function findWholeReads({ root }: Plan): string[] {
  return listNodes(root).flatMap(node => {
    const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = node
    if (type === 'Seq Scan' && table !== undefined) return [table]
    const isWhole =
      type.includes('Index') && index !== undefined && condition === undefined && !SHORT_INDEXES.has(index)
    return isWhole ? [`${table ?? ''} by ${index}`] : []
  })
}

/**
 * The buffers that a statement read. Postgres runs a data-modifying part that nothing reads after the rest. The count
 * excludes that part.
 */
export function countBuffers({ root }: Plan): number {
  const nodes = listNodes(root)
  const read = new Set(nodes.flatMap(node => node['CTE Name'] ?? []))
  const apart = nodes.filter(
    node => node['Subplan Name']?.startsWith('CTE ') && !read.has(node['Subplan Name'].slice(4)),
  )
  return [root, ...apart].reduce(
    (sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
    0,
  )
}
