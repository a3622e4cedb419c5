"""FastAPI and Starlette: applications, routers, parameters, dependencies and responses, by syntax tree."""
