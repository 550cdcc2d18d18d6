import { useEffect } from 'react'

/** The heading of a view, which is the title of the browser's tab as well. */
export function Title({ children }: { readonly children: string }) {
  useEffect(() => {
    document.title = `${children} · Quire`
  }, [children])
  return <h1 dir="auto">{children}</h1>
}
