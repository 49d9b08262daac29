-- Renders that ended without a file are forgotten when newer ones are enough (decision 401): by the service.
grant delete on render to clear_app;
create policy render_forgotten on render as restrictive for delete using ((select actor_role()) = 'SYSTEM');
