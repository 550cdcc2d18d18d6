// The page without Quire: what React and the compiler cost by themselves.
import { useEffect, useState, type ReactNode } from 'react'

interface Article {
  readonly id: string
  readonly name: string
}

export function Articles({ folder }: { readonly folder: { readonly name: string } }): ReactNode {
  const [articles, setArticles] = useState<readonly Article[]>([])
  useEffect(() => setArticles([{ id: '1', name: 'Ink that remembers' }]), [])
  return (
    <ul title={folder.name}>
      {articles.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  )
}
