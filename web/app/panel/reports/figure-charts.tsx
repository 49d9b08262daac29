import { feedbackScore } from '@clear-to-post/domain/feedback'
import type { CsvColumn } from '../csv.ts'
import { FigureCard } from './figure-card.tsx'
import { messages } from './messages.ts'
import type { VideosReport } from './reports-page.tsx'
import { NamedBars, StepChart, type Series } from './step-chart.tsx'
import { hoursWords, minutesOf, numberWords, percentWords, shareOf, shareWords, stepWords } from './words.ts'

type Point = VideosReport['points'][number]

/** What the figures of a period look like step by step, and why cuts were denied. */
export const FigureCharts = ({ report: { points, step, categories, criteria } }: { report: VideosReport }) => {
  const steps = points.map(({ from }) => stepWords(from, step))
  const from: CsvColumn<Point> = { title: messages.from, text: (point) => point.from }
  const series = (
    name: string,
    kind: Series['kind'],
    tone: Series['tone'],
    value: (point: Point) => number | undefined,
  ): Series => ({ name, kind, tone, values: points.map(value) })
  const count = (title: string, value: (point: Point) => number): CsvColumn<Point> => ({
    title,
    text: (point) => String(value(point)),
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
      <FigureCard
        title={messages.charts.videos}
        className="xl:col-span-2"
        rows={points}
        name="videos"
        columns={[
          from,
          count(messages.sentIn, ({ sentIn }) => sentIn),
          count(messages.approved, ({ approved }) => approved),
        ]}
      >
        <StepChart
          label={messages.charts.videos}
          steps={steps}
          words={numberWords}
          isCount
          series={[
            series(messages.sentIn, 'bar', 'quiet', ({ sentIn }) => sentIn),
            series(messages.approved, 'bar', 'primary', ({ approved }) => approved),
          ]}
        />
      </FigureCard>
      <FigureCard
        title={messages.charts.turnaround}
        rows={points}
        name="turnaround"
        columns={[
          from,
          { title: messages.turnaround, text: (point) => hours(point.turnaroundHours) },
          { title: messages.promise, text: (point) => hours(point.promisedHours) },
        ]}
      >
        <StepChart
          label={messages.charts.turnaround}
          steps={steps}
          words={hoursWords}
          series={[
            series(messages.turnaround, 'bar', 'primary', ({ turnaroundHours }) => turnaroundHours),
            series(messages.promise, 'line', 'danger', ({ promisedHours }) => promisedHours),
          ]}
        />
      </FigureCard>
      <FigureCard
        title={messages.charts.promises}
        rows={points}
        name="promises"
        columns={[
          from,
          count(messages.approved, ({ approved }) => approved),
          { title: messages.shareOnTime, text: ({ onTime, promised }) => shareWords(onTime, promised) },
          { title: messages.shareFirst, text: ({ firstPass, approved }) => shareWords(firstPass, approved) },
        ]}
      >
        <StepChart
          label={messages.charts.promises}
          steps={steps}
          words={percentWords}
          most={1}
          series={[
            series(messages.shareOnTime, 'line', 'primary', ({ onTime, promised }) => shareOf(onTime, promised)),
            series(messages.shareFirst, 'line', 'good', ({ firstPass, approved }) => shareOf(firstPass, approved)),
          ]}
        />
      </FigureCard>
      <FigureCard
        title={messages.charts.trouble}
        rows={points}
        name="denied-and-revised"
        columns={[
          from,
          count(messages.denied, ({ denied }) => denied),
          count(messages.revisions, ({ revisions }) => revisions),
          count(messages.canceled, ({ canceled }) => canceled),
        ]}
      >
        <StepChart
          label={messages.charts.trouble}
          steps={steps}
          words={numberWords}
          isCount
          series={[
            series(messages.denied, 'bar', 'danger', ({ denied }) => denied),
            series(messages.revisions, 'bar', 'primary', ({ revisions }) => revisions),
            series(messages.canceled, 'bar', 'quiet', ({ canceled }) => canceled),
          ]}
        />
      </FigureCard>
      <FigureCard
        title={messages.charts.reasons}
        rows={categories}
        name="why-denied"
        columns={[
          { title: messages.category, text: ({ category }) => messages.categories[category] },
          { title: messages.times, text: (one) => String(one.count) },
        ]}
      >
        {categories.length === 0 ? (
          <p className="text-muted">{messages.noDenials}</p>
        ) : (
          <NamedBars
            items={categories.map((one) => ({
              name: messages.categories[one.category],
              value: one.count,
              words: numberWords(one.count),
            }))}
          />
        )}
      </FigureCard>
      <FigureCard
        title={messages.charts.scores}
        rows={criteria}
        name="scores-of-denied-cuts"
        columns={[
          { title: messages.criterion, text: ({ label }) => label },
          { title: messages.average, text: ({ average }) => average.toFixed(1) },
          { title: messages.low, text: ({ low }) => String(low) },
          { title: messages.times, text: (one) => String(one.count) },
        ]}
      >
        {criteria.length === 0 ? (
          <p className="text-muted">{messages.noDenials}</p>
        ) : (
          <NamedBars
            most={feedbackScore.max}
            items={criteria.map(({ label, average }) => ({ name: label, value: average, words: average.toFixed(1) }))}
          />
        )}
      </FigureCard>
      <FigureCard
        title={messages.charts.minutes}
        rows={points}
        name="minutes"
        columns={[from, count(messages.minutes, minutesOf)]}
      >
        <StepChart
          label={messages.charts.minutes}
          steps={steps}
          words={numberWords}
          series={[series(messages.minutes, 'bar', 'primary', minutesOf)]}
        />
      </FigureCard>
    </div>
  )
}

const hours = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2))
