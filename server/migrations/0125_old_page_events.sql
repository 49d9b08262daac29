-- Events of pages are kept for half a year (tracking/jobs.ts), and no longer for ever.
grant delete on tracked_event to clear_app;
