"""Flask, with Blueprints, MethodViews, Flask-Smorest and Flask-RESTful."""
