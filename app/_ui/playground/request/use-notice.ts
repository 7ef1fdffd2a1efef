import { type RefObject, useEffect, useRef } from 'react'
import type { FinishedRun, Run } from './use-run'

/**
 * Returns a reference for the result or the failure of a run, which gets the focus when it appears. `before` is a result
 * of an earlier visit, which doesn't.
 */
export function useNotice({ finished, failure }: Run, before?: FinishedRun): RefObject<HTMLDivElement | null> {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if ((!finished || finished === before) && failure === null) return
    notice.current?.focus({ preventScroll: true })
    // A result may be higher than the window, and begins with what matters.
    notice.current?.scrollIntoView({ block: finished?.response.outcome.kind === 'file' ? 'start' : 'nearest' })
  }, [finished, before, failure])
  return notice
}
