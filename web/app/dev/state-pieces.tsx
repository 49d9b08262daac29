import { Video } from 'lucide-react'
import { statusValues } from '@clear-to-post/domain/workflow'
import { NoSuchRoom, PageFailure, PageLoading } from '../page-states.tsx'
import { Button } from '../ui/button.tsx'
import { bodyRow, cell, headCell, table, tableFrame } from '../ui/table-look.ts'
import { MoreButton } from '../ui/more-button.tsx'
import { Progress } from '../ui/progress.tsx'
import { Awaiting, EmptyState, ErrorState, Skeleton } from '../ui/states.tsx'
import { Badge, StatusChip } from '../ui/status-chip.tsx'
import { Grid, Part, Row } from './part.tsx'

export const Status = () => (
  <Part title="Status">
    <Row>
      {statusValues.map((status) => (
        <StatusChip key={status} status={status} />
      ))}
    </Row>
    <Row>
      {(['plain', 'primary', 'good', 'warn', 'danger'] as const).map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
    </Row>
    <Grid>
      <Progress label="Uploading" value={0.42} detail="2 min left" />
      <Progress label="Waiting" value={null} />
      <Progress label="Done" value={1} tone="good" />
      <Progress label="Slow" value={0.6} tone="warn" />
      <Progress label="Failed" value={0.6} tone="danger" />
    </Grid>
  </Part>
)

export const States = () => (
  <Part title="States of a page">
    <Grid>
      <EmptyState
        icon={<Video aria-hidden />}
        title="No videos yet"
        text="Your first one is free."
        action={<Button variant="primary">Send a video</Button>}
      />
      <ErrorState error={new TypeError('offline')} onRetry={() => {}} />
      {[null, new TypeError('offline')].map((error) => (
        <Awaiting key={String(error)} answer={{ error, refetch: () => {} }} failed="The videos did not load">
          <Skeleton className="mb-2 h-6 w-1/2" />
          <Skeleton className="h-24" />
        </Awaiting>
      ))}
    </Grid>
    <details className="rounded-card border border-line p-4">
      <summary>Whole pages: loading, absent, failed</summary>
      <PageLoading />
      <NoSuchRoom />
      <PageFailure error={new Error('It threw')} reset={() => {}} info={{ componentStack: '' }} />
    </details>
  </Part>
)

export const Lists = () => (
  <Part title="Lists">
    <div className={tableFrame}>
      <table className={table}>
        <thead>
          <tr>
            {['Title', 'Officer', 'Due'].map((name) => (
              <th key={name} scope="col" className={headCell}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {['Rate locks in a minute', 'Watch out for wire fraud'].map((title) => (
            <tr key={title} className={bodyRow}>
              <td className={cell}>{title}</td>
              <td className={cell}>Riley Park</td>
              <td className={cell}>Friday</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <Row>
      <MoreButton list={noMore} />
      <MoreButton list={{ ...noMore, isFetchingNextPage: true }} />
    </Row>
  </Part>
)

const noMore = { hasNextPage: true, isFetchingNextPage: false, fetchNextPage: async () => {} }
