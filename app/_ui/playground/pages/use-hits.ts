'use client'

import { useEffect, useState } from 'react'
import type { Json } from '../form/field-shapes'
import type { TextHit } from '../preview/pdf-messages'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { queryOf } from './find-rules'

/** Pause in typing before the pages are searched. */
const PAUSE_MS = 150

/** The hits of the latest search. `queryIndex` of a hit is the position of its rule. */
interface Hits {
  list: TextHit[]
  /** Whether the hits are those of the current rules. */
  isReady: boolean
}

/** Finds the texts of rules on the pages while the visitor types. */
export function useHits(document: OpenedDocument, rules: Json[]): Hits {
  const wanted = JSON.stringify(rules)
  const [found, setFound] = useState<{ of: string; list: TextHit[] }>({ of: '[]', list: [] })
  useEffect(() => {
    let isCurrent = true
    const queries = (JSON.parse(wanted) as Json[]).flatMap((rule, index) => {
      const query = queryOf(rule)
      return query ? [{ query, index }] : []
    })
    const timer = setTimeout(() => {
      document.find(queries.map(({ query }) => query)).then(
        hits => {
          const list = hits.map(hit => ({ ...hit, queryIndex: queries[hit.queryIndex]?.index ?? -1 }))
          if (isCurrent) setFound({ of: wanted, list })
        },
        () => undefined, // The request works without a preview.
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [document, wanted])
  return { list: found.list, isReady: found.of === wanted }
}
