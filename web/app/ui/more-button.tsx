import { Button } from './button.tsx'
import { messages } from './messages.ts'

/** What a list that comes in pages says of itself. */
type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

/** Asks for the next page of a list; nothing where there is none. */
export const MoreButton = ({ list }: { list: Pages }) =>
  list.hasNextPage && (
    <Button
      className="justify-self-center"
      isPending={list.isFetchingNextPage}
      onPress={() => void list.fetchNextPage()}
    >
      {messages.showMore}
    </Button>
  )
