import type { ReactNode, Ref } from 'react'
import { Notice } from '../elements/notice'

/**
 * An error message, which screen readers announce at once. It can have the focus, so that keyboard navigation continues
 * there.
 */
export function FailureNote({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <Notice kind="failure" tabIndex={-1} ref={ref} data-failure>
      {children}
    </Notice>
  )
}
