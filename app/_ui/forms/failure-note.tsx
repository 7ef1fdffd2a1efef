import { Alert } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

/**
 * An error message, which screen readers announce at once. It can have the focus, so that keyboard navigation continues
 * there.
 */
export function FailureNote({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      tabIndex={-1}
      ref={ref}
      data-failure
      styles={{ message: { color: 'var(--mantine-color-error)' } }}
    >
      {children}
    </Alert>
  )
}
