"""aiohttp servers: route tables, handlers, class views and middlewares."""
