import { Alert } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

/**
 * A sentence about what did not work, read out at once. It can take the focus, so that the keyboard goes on from there.
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
